import { useEffect } from 'react';
import { useRouter } from './hooks.ts';

/** Leads elsewhere as soon as it is shown, in place of the page. */
export const Navigate = ({ to }: { to: string }) => {
  const { navigate } = useRouter();
  useEffect(() => void navigate({ to, replace: true }), [navigate, to]);
  return null;
};
