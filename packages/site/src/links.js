import { posix } from 'node:path';
import { relative } from './navigation.js';

/**
 * Turns the links of a page in the repository into those of the site.
 * @param pages addresses of the site, by the file in the repository
 * @param fileOf gives the address of a picture or data file of the repository, or undefined
 */
export function linkResolver({ source, address }, pages, fileOf) {
  return (link) => {
    if (/^(https?:|mailto:|#)/.test(link)) return link;
    const [path, anchor] = link.split('#');
    const file = posix.join(posix.dirname(`${source}.md`), decodeURI(path));
    const target = pages.get(file) ?? fileOf(file);
    // A file that is only in the repository, such as an example.
    if (target === undefined) return null;
    return `${relative(address, target)}${anchor === undefined ? '' : `#${anchor}`}`;
  };
}
