import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Returns a proxy to the database that can be cut, and counts the attempts to connect while it is. It can also fall silent: connections stay, and
 * nothing passes.
 */
export async function databaseProxy(url: string) {
  const sockets = new Set<Socket>();
  let isCut = false;
  let isSilent = false;
  let attempts = 0;
  const { port, hostname } = new URL(url);
  const server = createServer((socket) => {
    if (isCut) {
      attempts += 1;
      socket.destroy();
      return;
    }
    const onward = connect(Number(port), hostname);
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on('error', () => {});
      each.on('close', () => {
        sockets.delete(each);
        socket.destroy();
        onward.destroy();
      });
    }
    socket.on('data', (bytes) => onward.write(bytes));
    onward.on('data', (bytes) => socket.write(bytes));
    if (isSilent) for (const each of [socket, onward]) each.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    attempts: () => attempts,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
    silence: () => {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
  };
}
