import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns a string that distinguishes a process from earlier and later ones with the same id, or undefined if it is not running.
 * A zombie counts as not running: in a container it may remain until the container ends.
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'lstart=');
  try {
    // proc(5): the command's name is in parentheses and may contain anything. The state is the first field after it, and the
    // start time (in ticks since boot) is the twentieth.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Returns the command line of a running process, separated by spaces, or '' if it is not running. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') return ps(pid, 'command=') ?? '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function ps(pid: number, column: string): string | undefined {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
