/** What is wrong with a text that should be an origin as browsers send it; null if it is one. */
export function originProblem(text: string): string | null {
  if (text.includes('*')) {
    return 'must be one exact origin: name each origin, because a pattern would admit pages of others';
  }
  if (text === 'null') {
    return 'must be an origin: browsers send null for many pages, also for those of others';
  }
  if (/^https?:\/\//.test(text) && originOf(text) === text) return null;
  const meant = originOf(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  const wanted = 'must be an origin as browsers send it, such as https://app.example.com';
  return meant === null ? wanted : `${wanted}: write ${meant}`;
}

function originOf(text: string): string | null {
  return URL.canParse(text) ? new URL(text).origin : null;
}
