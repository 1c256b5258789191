import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * Starts a file as a process of its own, which says by one line that it is ready and where, and ends when its standard input does, so
 * that it never outlives who started it. Throws where it ends before.
 */
export async function startProcess(
  file: string,
  args: readonly string[],
): Promise<{ line: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([first]) => String(first)),
    ended.then(() => Promise.reject(new Error(`${file} ended before it was ready`))),
  ]);
  return {
    line,
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
