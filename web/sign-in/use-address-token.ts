import { useEffect, useState } from 'react';

/** Returns the token that `read` finds in the address, which leaves the address and the history at once. */
export const useAddressToken = (read: () => string): string => {
  const [token, setToken] = useState(read);
  useEffect(() => {
    const clear = (): void => history.replaceState(history.state, '', location.pathname);
    clear();
    // Opening another link in this window changes only the hash, and doesn't reload the page.
    const readNext = (): void => {
      const next = read();
      if (!next) return;
      setToken(next);
      clear();
    };
    window.addEventListener('hashchange', readNext);
    return () => window.removeEventListener('hashchange', readNext);
  }, [read]);
  return token;
};
