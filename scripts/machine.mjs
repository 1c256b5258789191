/** What this machine has for the tests. Plain JavaScript: the set-up asks before TypeScript can run. */
import { existsSync } from 'node:fs';

/** @returns {string | undefined} the path of a Chromium */
export function browserPath() {
  const { TIDINGS_CHROMIUM: chosen } = process.env;
  const usual = [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
  ];
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return (chosen ? [chosen] : [...usual, mac]).find((path) => existsSync(path));
}

/** @returns {string | undefined} the folder of the oldest PostgreSQL's programs that we support, as Debian installs them */
export function debianPostgres() {
  return ['/usr/lib/postgresql/15/bin'].find((path) => existsSync(`${path}/postgres`));
}
