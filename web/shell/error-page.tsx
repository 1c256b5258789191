import { Anchor, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { applicationInfoQuery } from '../session/session.ts';
import { useTitle } from '../ui/use-title.ts';
import classes from './shell.module.css';

const YEAR = new Date().getFullYear();

/** Where the browser goes when the server answers 502 or 503. */
export const ErrorPage = () => {
  useTitle('Not available');
  const { data: info } = useQuery(applicationInfoQuery);
  return (
    <div className={classes.alone}>
      <main>
        <Title order={1}>Tidings is not available at the moment.</Title>
        <Text mt="sm">Please check back in a few minutes. Nothing that you saved is lost.</Text>
        <Anchor href="/" mt="md" display="inline-block">
          Go To Home Page
        </Anchor>
      </main>
      <footer>
        {YEAR} {info?.companyName ?? 'Tidings'}
      </footer>
    </div>
  );
};
