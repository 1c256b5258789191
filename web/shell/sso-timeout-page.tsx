import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { applicationInfoQuery } from '../session/queries.ts';
import { useTitle } from '../ui/use-title.ts';
import classes from './pages.module.css';

const YEAR = new Date().getFullYear();

const Picture = () => (
  <svg viewBox="0 0 96 120" width="96" height="120" role="img" aria-label="An hourglass that has run out">
    <g fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round">
      <path d="M14 8h68M14 112h68" />
      <path d="M22 8v20c0 16 20 22 20 32S22 76 22 92v20M74 8v20c0 16-20 22-20 32s20 16 20 32v20" />
    </g>
    <path d="M26 109c0-12 10-19 22-21 12 2 22 9 22 21z" fill="currentColor" opacity=".35" />
  </svg>
);

/** Where a session from another system ends, since only that system can renew it. */
export const SsoTimeoutPage = () => {
  useTitle('Session timed out');
  const { data: info } = useQuery(applicationInfoQuery);
  return (
    <div className={classes.alone}>
      <main className={classes.timeout}>
        <Picture />
        <Text component="h1" size="md" mt="lg" fw={550}>
          The product session has timed out. Refresh the page to renew it.
        </Text>
      </main>
      <footer>
        © {YEAR} {info?.companyName ?? 'Tidings'}
      </footer>
    </div>
  );
};
