import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../forms/loaded.tsx';
import { Empty } from '../ui/states.tsx';
import { embeddedQuery } from './spotlight-queries.ts';
import classes from './spotlights.module.css';

/** A dashboard of another system. It runs under its own origin, without access to ours, and learns nothing about whom it is shown to. */
export const Embedded = () => {
  const query = useQuery(embeddedQuery);
  return (
    <>
      <h1 className={classes.title}>Embedded spotlights</h1>
      <Loaded query={query} what="embedded page">
        {({ url }) =>
          url === null ? (
            <Empty title="No page is set up">
              An administrator enters its address under Admin, Groups, Patient record settings. The installation has to
              allow its host.
            </Empty>
          ) : (
            <iframe
              className={classes.embedded}
              src={url}
              title="Embedded spotlights"
              // Its own origin is another one, so that it can keep its own sign-in but reach nothing of ours.
              // oxlint-disable-next-line react/iframe-missing-sandbox
              sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
              referrerPolicy="no-referrer"
              loading="lazy"
            />
          )
        }
      </Loaded>
    </>
  );
};
