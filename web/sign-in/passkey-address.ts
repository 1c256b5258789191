/**
 * Returns why passkeys don't work at the address of this page: they belong to a domain name, and an IP address has none (Web
 * Authentication Level 3, 5.1.2). For the loopback address there is a name: localhost.
 */
export const passkeyAddressProblem = (): string =>
  /^(127(\.\d+){3}|\[::1\])$/.test(location.hostname)
    ? `Passkeys don't work at an IP address. Open ${location.protocol}//localhost:${location.port} instead.`
    : "Passkeys don't work at this address.";
