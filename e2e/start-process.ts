import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * Starts a file in a process of its own. The process prints one line when it is ready, which is returned, and exits when its standard
 * input closes, so that it never outlives its parent. Throws if it exits before it is ready.
 */
export async function startProcess(
  file: string,
  args: readonly string[],
): Promise<{ line: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([first]) => String(first)),
    ended.then(() => Promise.reject(new Error(`${file} exited before it was ready`))),
  ]);
  return {
    line,
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
