const BROWSERS: [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];

const SYSTEMS: [name: string, sign: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

const nameIn = (list: [string, RegExp][], text: string): string | undefined =>
  list.find(([, sign]) => sign.test(text))?.[0];

/** Returns a name for a browser from its User-Agent, e.g. 'Chrome on Windows'. Only a hint for its user: the header can say anything. */
export function nameDevice(userAgent: string | undefined): string {
  const browser = nameIn(BROWSERS, userAgent ?? '') ?? 'Unknown browser';
  const system = nameIn(SYSTEMS, userAgent ?? '');
  return system === undefined ? browser : `${browser} on ${system}`;
}
