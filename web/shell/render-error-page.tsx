import { useContext, useEffect, useState } from 'react';
import { ApiError, UNREACHABLE } from '../api/error.ts';
import { ChunkLoadError } from '../errors/load-chunk.ts';
import { reportError, withoutData } from '../errors/report.ts';
import { SessionContext } from '../session/session.ts';
import { Button } from '../ui/plain/button.tsx';
import { anchor, Text, Title } from '../ui/plain/text.tsx';
import classes from './pages.module.css';

/** Reloads the page, but only once the server answers: a reload without a network would leave the browser's own error page. */
const TryAgain = () => {
  const [state, setState] = useState<'trying' | 'unreachable' | null>(null);
  const tryAgain = (): void => {
    setState('trying');
    fetch('/api/application-info').then(
      () => location.reload(),
      () => setState('unreachable'),
    );
  };
  return (
    <>
      {state === 'unreachable' && (
        <Text mt="sm" role="alert">
          {UNREACHABLE}
        </Text>
      )}
      <Button mt="md" mr="md" variant="default" loading={state === 'trying'} onClick={tryAgain}>
        Try again
      </Button>
    </>
  );
};

/**
 * Replaces what failed to render: one page, beside the navigation, or everything. Shows the error's message without possible patient data.
 */
export const RenderErrorPage = ({ error }: { error?: unknown }) => {
  const isInShell = useContext(SessionContext) !== null;
  useEffect(() => {
    // `call` has reported an ApiError already.
    if (!(error instanceof ApiError)) reportError('component', error ?? 'Unknown Error');
  }, [error]);
  const message = error instanceof Error ? withoutData(error.message) : '';
  const content = (
    <>
      <Title>Sorry, something seems to have gone wrong.</Title>
      <Text mt="sm">{message || 'Uh oh, we ran into a problem.'}</Text>
      {error instanceof ChunkLoadError && (
        <Text>Part of this page didn't load. Check your connection, then try again.</Text>
      )}
      <Text>Please check back in a few minutes.</Text>
      {error instanceof ChunkLoadError && <TryAgain />}
      <a href="/" {...anchor('md')}>
        Go To Home Page
      </a>
    </>
  );
  if (isInShell) return <div className={classes.page}>{content}</div>;
  return (
    <div className={classes.alone}>
      <main>{content}</main>
    </div>
  );
};
