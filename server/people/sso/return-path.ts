const HERE = 'http://tidings.invalid';

/**
 * The page to go on to after a sign-in: a path of ours with its query and fragment, or '/' (the home of the user) for all that could
 * lead elsewhere or come straight back to the sign-in.
 */
export function safeReturnPath(text: string | undefined): string {
  if (text === undefined || !text.startsWith('/') || !URL.canParse(text, HERE)) return '/';
  const { origin, pathname, search, hash } = new URL(text, HERE);
  // '/.//elsewhere.example' is a path of ours to the parser, and another host's address to the next one.
  const leadsOn = origin === HERE && !pathname.startsWith('//') && !/^\/(api|login)(\/|$)/i.test(pathname);
  return leadsOn ? pathname + search + hash : '/';
}
