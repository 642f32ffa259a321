import type { Http } from '#server/http/types';
import { type Method, request } from './client.js';

/** `GET /api/v1/decisions/:id` and so on: every route that does more than refuse the method. */
export async function routesOf(http: Http): Promise<string[]> {
  const routes: string[] = [];
  for (const { url, methods } of printedRoutes(http)) {
    for (const method of methods) {
      const { status } = await request(http, method, url.replaceAll(':', ''));
      if (status !== 405) routes.push(`${method} ${url}`);
    }
  }
  return routes.sort();
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const LINE = /^((?:│ {3}| {4})*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?$/;

/** The tree that the router prints, the one list that is always complete. */
function printedRoutes(http: Http): { url: string; methods: Method[] }[] {
  const path: string[] = [];
  const lines = http.printRoutes().trimEnd().split('\n');
  return lines.map((line) => {
    const [, indent = '', segment = '', names = ''] = LINE.exec(line) ?? [];
    if (segment === '') throw new Error(`not a line of the router's tree: ${line}`);
    path.splice(indent.length / 4, path.length, segment);
    const listed = names.split(', ');
    return { url: path.join(''), methods: METHODS.filter((name) => listed.includes(name)) };
  });
}
