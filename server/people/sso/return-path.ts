const HERE = 'http://tidings.invalid';

/**
 * Returns the page to open after a sign-in: one of our paths with its query and fragment. Anything that could lead to another site, or back to
 * the sign-in, becomes '/', the user's home page.
 */
export function safeReturnPath(text: string | undefined): string {
  if (text === undefined || !text.startsWith('/') || !URL.canParse(text, HERE)) return '/';
  const { origin, pathname, search, hash } = new URL(text, HERE);
  // '/.//elsewhere.example' parses as a path of ours, which a browser then reads as another host.
  const isSafe = origin === HERE && !pathname.startsWith('//') && !/^\/(api|login)(\/|$)/i.test(pathname);
  return isSafe ? pathname + search + hash : '/';
}
