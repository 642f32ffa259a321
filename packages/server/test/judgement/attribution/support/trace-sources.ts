import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export const FINES =
  'case_id,activity,resource,timestamp,amount,article,dismissal,expense,lastsent,notificationtype,' +
  'points,totalpaymentamount,vehicleclass';

/** Writes a file below the folder. */
export function put(folder: string, name: string, content: string | Buffer) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

const tag = (key: string, value: string) => `<string key="${key}" value="${value}"/>`;

/** A rejection, the approval that caused the payment, and the payment, not in order of time. */
export function xesCase(number: number, [id, amount]: [string, string], names: string) {
  const step = (at: number, name: string, time: string) =>
    `<event>${tag('id', `st_step ${number}_${at}`)}${tag('concept:name', name)}` +
    `<date key="time:timestamp" value="${time}"><string key="id" value="nested"/></date></event>`;
  const object = id === 'id' ? 'Declaration' : 'Request For Payment';
  return `<trace>${tag(id, `case ${number}`)}${tag(amount, '12.345')}${names}
    ${step(3, 'Payment Handled', '2018-03-08T12:00:00+01:00')}
    ${step(2, `${object} FINAL_APPROVED by SUPERVISOR`, '2018-03-05T09:00:00+01:00')}
    ${step(1, `${object} REJECTED by BUDGET OWNER`, '2018-03-04T09:00:00+01:00')}
    ${step(0, `${object} SUBMITTED by EMPLOYEE`, '2018-03-01T09:00:00+01:00')}</trace>`;
}

/** Logs of travel with so many equal cases each. */
export function writeTravel(folder: string, count: number) {
  const log = (keys: [string, string], names: string, first: number) => {
    const cases = Array.from({ length: count }, (_, at) => xesCase(first + at, keys, names));
    return gzipSync(
      `<?xml version="1.0"?><log><global>${tag('id', 'x')}</global>${cases.join('')}</log>`,
    );
  };
  const names = tag('DeclarationNumber', 'number 1 &amp; &#50;') + tag('BudgetNumber', 'UNKNOWN');
  put(folder, 'DomesticDeclarations.xes.gz', log(['id', 'Amount'], names, 0));
  put(folder, 'RequestForPayment.xes.gz', log(['Rfp_id', 'RequestedAmount'], '', 1000));
  put(folder, 'PrepaidTravelCost.xes.gz', log(['Rfp_id', 'RequestedAmount'], '', 2000));
}

const day = (text: string) => Date.parse(text) / 1000;

/** So many equal fines, each paid twice, and one that is too late. */
export function writeFines(folder: string, count: number) {
  const rows = Array.from({ length: count }, (_, at) => [
    `A${at},Payment,NA,${day('2007-01-02')},,,,,,,,48.5,`,
    `"A${at}",Create Fine,"56,1",${day('2006-07-01')},35,7.0,NIL,,,,0,,A`,
    `A${at},Payment,,${day('2007-05-01')},,,,,,,,73.5,`,
    `A${at},Send Fine,,${day('2006-09-01')},,,,13.5,,,,,`,
    `A${at},Add penalty,,${day('2007-02-01')},60,,,,,,,,`,
  ]);
  const late = `B,Create Fine,1,${day('2009-01-01')},35,7,NIL,,,,0,,A`;
  put(folder, 'fines.csv', [FINES, ...rows.flat(), late, ''].join('\r\n'));
}
