import { Anchor, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { ApiError } from '../api/error.ts';
import { reportError, withoutData } from '../errors/report.ts';
import classes from './shell.module.css';

const leavesForErrorPage = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 502 || error.status === 503);

/** Stands where rendering failed. What may be somebody's data is taken out of the error's words. */
export const Crash = ({ error }: { error?: unknown }) => {
  useEffect(() => {
    // Calls report themselves.
    if (!(error instanceof ApiError)) reportError('component', error ?? 'Unknown Error');
  }, [error]);
  if (leavesForErrorPage(error)) return null;
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
