/** The anchor of a heading, as the viewers of repositories make it. */
export function slug(heading) {
  const plain = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '');
  return plain.trim().replaceAll(/\s/g, '-');
}
