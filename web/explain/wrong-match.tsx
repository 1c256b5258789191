import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PingExplanation } from '#contract/explanations.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { announce } from '../ui/announcer.tsx';
import classes from './explain.module.css';

const REVIEW =
  'Then the match waits under Feeds, with the matches to review. There someone links the two again, or keeps them apart.';

/** Takes an automatic match apart that joined two people, or says who can. */
export const WrongMatch = ({ found: { match, ping, patientId, isMoved } }: { found: PingExplanation }) => {
  const client = useQueryClient();
  const [isAsking, ask] = useState(false);
  if (match?.how !== 'AUTOMATIC' || isMoved) return null;
  const { name } = ping.facility;
  const isRecord = match.later === 'RECORD';
  if (!match.canTakeApart)
    return (
      <p className={classes.dim} data-no-print>
        Not the same person? Tell {isRecord ? `an administrator of ${name}, or Tidings support` : 'your administrator'}.
        They can take the match apart on this page.
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
        <Confirm
          title="Take this match apart?"
          word="Take apart"
          act={() =>
            call('POST /api/patients/:id/events/:eventId/take-apart', {
              params: { id: patientId, eventId: ping.eventIdentifier },
            })
          }
          done={() => void done()}
          close={() => ask(false)}
        >
          {isRecord
            ? `${name}'s record becomes a person of its own. Pings about its visits are retracted for every team whose list has this patient, and later visits send them none.`
            : `Your list's patient becomes a person of its own. Pings about visits that came by this match are retracted on your list, and later visits send it none.`}{' '}
          {REVIEW}
        </Confirm>
      )}
    </>
  );
};
