/**
 * Calls to addresses that a customer's administrator has entered, such as an identity provider's. Whoever enters an address chooses where
 * the server connects to, so nothing inside our own network may answer.
 */
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { inNetworks } from '#server/platform/network/networks.ts';

/** In milliseconds, from the look-up of the name to the last byte. */
const TIME_LIMIT = 10_000;
/** In bytes. A provider's metadata and keys have some ten thousand. */
const MOST_BYTES = 1024 * 1024;

/** Networks that are not the public internet (IANA special-purpose registries). In IPv6, only 2000::/3 is public. */
const isOutsideInternet = inNetworks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

export type OutgoingCode = 'ADDRESS_REFUSED' | 'REDIRECTED' | 'ANSWER_TOO_LARGE' | 'SCHEME_REFUSED';

/** A call that was not made, or was cut off. Names no address, because it is logged. */
class OutgoingError extends Error {
  override name = 'OutgoingError';
  readonly code: OutgoingCode;

  constructor(code: OutgoingCode) {
    super(code);
    this.code = code;
  }
}

/** What `fetch` accepts, as far as our callers need it. */
export interface OutgoingInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string | URLSearchParams | null | undefined;
  signal?: AbortSignal;
}
export type OutgoingFetch = (address: string, init?: OutgoingInit) => Promise<Response>;

/** Finds all addresses of a name; `dns.lookup` unless a test names its own. */
export type LookUp = (
  name: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Returns a `fetch` for http and https that connects to public addresses only, and to those of `allowed` networks (CIDR). Every address that
 * a name resolves to is checked, and exactly a checked one is connected to, so that a name cannot change its address in between. Redirects are
 * not followed but refused. An answer has at most 1 MiB and 10 seconds. Throws OutgoingError, and what node:http throws.
 */
export function outgoingFetch(allowed: readonly string[], lookUp: LookUp = lookup): OutgoingFetch {
  const isAllowed = inNetworks(allowed);
  const mayConnect = (address: string): boolean =>
    isIP(address) !== 0 && (isAllowed(address) || !isOutsideInternet(address));
  const checkedLookUp = (
    name: string,
    { all }: LookupOptions,
    done: (error: Error | null, found: string | LookupAddress[], family?: number) => void,
  ): void =>
    lookUp(name, { all: true }, (error, found) => {
      if (error) return done(error, []);
      const [first] = found;
      if (first === undefined || !found.every(({ address }) => mayConnect(address))) {
        return done(new OutgoingError('ADDRESS_REFUSED'), []);
      }
      return all ? done(null, found) : done(null, first.address, first.family);
    });
  return async (address, init = {}) => {
    const url = new URL(address);
    if (!/^https?:$/.test(url.protocol)) throw new OutgoingError('SCHEME_REFUSED');
    // An address in place of a name is never looked up.
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !mayConnect(literal)) throw new OutgoingError('ADDRESS_REFUSED');
    return answerOf(await send(url, init, checkedLookUp));
  };
}

/** Resolves with the head of the answer. The signal ends the whole call, its body included. */
function send(url: URL, init: OutgoingInit, look: RequestOptions['lookup']): Promise<IncomingMessage> {
  const timeout = AbortSignal.timeout(TIME_LIMIT);
  const body = init.body == null ? undefined : String(init.body);
  const options: RequestOptions = {
    method: init.method ?? 'GET',
    // Nothing here decompresses, so that a small answer stays small.
    headers: {
      ...init.headers,
      'accept-encoding': 'identity',
      ...(body ? { 'content-length': Buffer.byteLength(body) } : {}),
    },
    // A kept connection could lead to an address that is no longer the checked one.
    agent: false,
    signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout,
    ...(look ? { lookup: look } : {}),
  };
  return new Promise((resolve, reject) => {
    const call = url.protocol === 'https:' ? httpsRequest : httpRequest;
    call(url, options, resolve).on('error', reject).end(body);
  });
}

async function answerOf(message: IncomingMessage): Promise<Response> {
  const { statusCode: status = 0, rawHeaders } = message;
  if (status >= 300 && status < 400) {
    message.destroy();
    throw new OutgoingError('REDIRECTED');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop destroys the connection.
    if (bytes > MOST_BYTES) throw new OutgoingError('ANSWER_TOO_LARGE');
    chunks.push(chunk);
  }
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return new Response(status === 204 ? null : Buffer.concat(chunks), { status, headers });
}
