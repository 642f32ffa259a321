/** Reads CSV (RFC 4180), sharing no code with the writer. Throws for anything else. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      at += 1;
      for (;;) {
        const quote = text.indexOf('"', at);
        if (quote < 0) throw new Error('a quoted cell does not end');
        cell += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at += 1;
      }
    } else {
      const end = /[,\r\n"]/.exec(text.slice(at))?.index ?? text.length - at;
      cell = text.slice(at, at + end);
      at += end;
    }
    row.push(cell);
    if (text[at] === ',') {
      at += 1;
      if (at === text.length) throw new Error('the last row does not end');
    } else if (text.startsWith('\r\n', at)) {
      at += 2;
      rows.push(row);
      row = [];
    } else throw new Error(`a cell ends with ${JSON.stringify(text.slice(at, at + 2))}`);
  }
  if (row.length > 0) throw new Error('the last row does not end');
  return rows;
}
