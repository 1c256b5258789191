/** Characters that need no encoding in a path (RFC 3986, 2.3, and `$`): letters, digits, - _ ~. Not `.`, which a path could climb with. */
const NEEDLESS = /%(?:24|2D|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/**
 * Returns an address whose path has these characters as they are, which means the same (RFC 3986, 6.2.2.2). Some clients send
 * `/fhir/%24process-message`, and the router takes only some of them for what they are.
 */
export function withPlainPath(url: string): string {
  if (!url.includes('%')) return url;
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  // Decoded, a stray % could become the beginning of another escape.
  if (/%(?![\dA-F]{2})/i.test(path)) return url;
  return path.replace(NEEDLESS, decodeURIComponent) + url.slice(path.length);
}
