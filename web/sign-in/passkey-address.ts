/**
 * Why no passkey works where this page was opened: it belongs to a name, and an address has none (Web Authentication Level 3, 5.1.2). The
 * machine itself has one.
 */
export const noPasskeyHere = (): string =>
  /^(127(\.\d+){3}|\[::1\])$/.test(location.hostname)
    ? `Passkeys do not work at an address of numbers. Open ${location.protocol}//localhost:${location.port} instead.`
    : 'Passkeys do not work at this address.';
