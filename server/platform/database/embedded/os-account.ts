import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The operating-system account that PostgreSQL runs under; never root. */
export type OsAccount = { uid: number; gid: number };

/**
 * Returns the account to run PostgreSQL under if this process is root: the owner of an existing cluster, else `postgres`, else
 * `nobody` (initdb needs an account with a name). Returns undefined if it is not root: PostgreSQL then runs as this process does.
 */
export function serverAccount(cluster: string): OsAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = named('postgres') ?? named('nobody');
  if (account === undefined) {
    throw new Error(
      "PostgreSQL does not run as root, and there is neither an account 'postgres' nor 'nobody' to run it under",
    );
  }
  return account;
}

/** Whether the account can enter the folder and all folders above it. */
export function canEnter(folder: string, { uid, gid }: OsAccount): boolean {
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    const { mode, uid: owner, gid: group } = statSync(path);
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

function named(name: string): OsAccount | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}
