import { isIPv4, isIPv6 } from 'node:net';

/** What precedes an IPv4 address that is written as IPv6 (RFC 4291, 2.5.5.2). */
const MAPPED = '::ffff:';

/**
 * Returns the address under which a sender's connections are counted: of IPv4, the address, also where the socket writes it as IPv6; of
 * IPv6, the network (/64), because one machine may use every address in its own.
 */
export function senderAddress(remoteAddress: string | undefined): string {
  const [zoneless = ''] = (remoteAddress ?? '').split('%');
  const mapped = zoneless.slice(MAPPED.length);
  const address = zoneless.toLowerCase().startsWith(MAPPED) && isIPv4(mapped) ? mapped : zoneless;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => '0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}
