import { Anchor, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { ApiError } from '../api/error.ts';
import { reportError, withoutData } from '../errors/report.ts';
import classes from './pages.module.css';

const goesToErrorPage = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 502 || error.status === 503);

/** Replaces what failed to render. Shows the error's message without possible patient data. */
export const RenderErrorPage = ({ error }: { error?: unknown }) => {
  useEffect(() => {
    // `call` has reported an ApiError already.
    if (!(error instanceof ApiError)) reportError('component', error ?? 'Unknown Error');
  }, [error]);
  if (goesToErrorPage(error)) return null;
  const message = error instanceof Error ? withoutData(error.message) : '';
  return (
    <div className={classes.alone}>
      <main>
        <Title order={1}>Sorry, something seems to have gone wrong.</Title>
        <Text mt="sm">{message || 'Uh oh, we ran into a problem.'}</Text>
        <Text>Please check back in a few minutes.</Text>
        <Anchor href="/" mt="md" display="inline-block">
          Go To Home Page
        </Anchor>
      </main>
    </div>
  );
};
