import { BlockList, isIP } from 'node:net';

/** Returns whether an IP address is in one of the networks, which are addresses or in CIDR notation. Anything else is in none. */
export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** Whether a host is this machine, by name or address. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);

/** Whether an address on the web leads to this machine over plain http. */
export const isLocalUrl = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && isLoopback(hostname);

/** Whether a text is an address or a network (CIDR). */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const largest = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && +bits <= largest))
  );
}
