import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PingExplanation } from '#contract/explanations.ts';
import { call } from '../api/call.ts';
import { announce } from '../ui/announcer.tsx';
import classes from './explain.module.css';
import { TakeApart } from './take-apart.tsx';

/** Takes an automatic match apart that joined two people, or says who can. */
export const WrongMatch = ({ found: { match, ping, patientId, isMoved } }: { found: PingExplanation }) => {
  const client = useQueryClient();
  const [isAsking, ask] = useState(false);
  if (match?.how !== 'AUTOMATIC' || isMoved) return null;
  const { name } = ping.facility;
  if (!match.canTakeApart)
    return (
      <p className={classes.dim} data-no-print>
        Not the same person? Give the control ID of the message above to an administrator of {name} or to Tidings
        support. They can take the match apart under Feeds, Messages.
      </p>
    );
  const done = async (): Promise<void> => {
    await client.invalidateQueries();
    ask(false);
    announce('The match was taken apart.');
  };
  return (
    <>
      <Button variant="default" size="xs" mt="sm" data-no-print onClick={() => ask(true)}>
        Not the same person…
      </Button>
      {isAsking && (
        <TakeApart
          record={`${name}'s record`}
          act={() =>
            call('POST /api/patients/:id/events/:eventId/take-apart', {
              params: { id: patientId, eventId: ping.eventIdentifier },
            })
          }
          done={() => void done()}
          close={() => ask(false)}
        />
      )}
    </>
  );
};
