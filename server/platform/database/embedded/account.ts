import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The account that PostgreSQL runs under, which is never root's. */
export type Account = { uid: number; gid: number };

/**
 * As root: the owner of the cluster where one exists, else `postgres`, else `nobody` (initdb wants an account that
 * has a name). Undefined where we are not root: PostgreSQL then runs as we do.
 */
export function serverAccount(cluster: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = named('postgres') ?? named('nobody');
  if (account === undefined) {
    throw new Error(
      'PostgreSQL does not run as root, and there is neither an account postgres nor nobody to run it under',
    );
  }
  return account;
}

/** Whether the account can walk through every folder down to this one, and into it. */
export function canEnter(folder: string, { uid, gid }: Account): boolean {
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    const { mode, uid: owner, gid: group } = statSync(path);
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

function named(name: string): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}
