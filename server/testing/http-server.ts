import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Somebody else's server, on a port of its own, or on the one given. `listener` is made once its address is known. */
export async function listen(
  listener: (url: string) => RequestListener,
  port = 0,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', listener(url));
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
