import { setTimeout } from 'node:timers/promises';
import { startPostgres } from '../packages/server/test/support/postgres-server.js';
import { fillDistinct } from './support/fill-distinct.js';
import { startOnPostgres } from './support/service.js';
const server = await startPostgres({ settings: { shared_buffers: '512MB' } });
const flags = (process.env.FLAGS ?? '').split(' ').filter(Boolean);
const service = await startOnPostgres(server, flags, { LEDGER_ROLE: 'api' });
const key = await service.createOrganisation('bench');
await fillDistinct(service, key, Number(process.env.N ?? 20000), 1, 90*24*3600e3);
for (const env of [{}]) {
const worker = await service.another({ LEDGER_ROLE: 'worker', ...env });
await setTimeout(4000);
const metrics = async () => { const t = await (await fetch(new URL('/metrics', worker.url))).text(); const g = (n) => Math.round(Number(new RegExp('^' + n + ' (\\S+)', 'm').exec(t)?.[1]) / 2**20);
 const sp = (n) => Math.round(Number(new RegExp('^nodejs_heap_space_size_total_bytes\\{space="' + n + '"\\} (\\S+)', 'm').exec(t)?.[1]) / 2**20);
 return { rss: g('process_resident_memory_bytes'), heap: g('nodejs_heap_size_total_bytes'), ext: g('nodejs_external_memory_bytes'), new: sp('new'), old: sp('old'), lo: sp('large_object') }; };
console.log('idle', JSON.stringify(await metrics()));
const headers = { 'x-ledger-key': key, 'content-type': 'application/json' };
let e = (await (await fetch(service.url + '/api/v1/exports', { method: 'POST', headers, body: JSON.stringify({ export_type: 'forensic', start_date: '2000-01-01', end_date: '2100-01-01' }) })).json()).data;
const t0 = performance.now();
while (e.status !== 'complete') { console.log(((performance.now()-t0)/1000).toFixed(1), e.status, e.progress, JSON.stringify(await metrics())); await setTimeout(400); e = (await (await fetch(service.url + '/api/v1/exports/' + e.export_id, { headers })).json()).data; }
console.log('end', JSON.stringify(await metrics()));
await worker.stop();
}
await service.stop(); await server.stop();
