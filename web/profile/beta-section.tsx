import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { OPT_OUT_FEATURES } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { Loaded } from '../forms/loaded.tsx';
import classes from './profile.module.css';
import { Section } from './section.tsx';

type Feature = (typeof OPT_OUT_FEATURES)[number];
const FEATURES: Record<Feature, { name: string; about: string }> = {
  DISCHARGE_SUMMARY_MIHIN: {
    name: 'Discharge summaries',
    about: 'Summaries of a stay, from the documents that a hospital sends.',
  },
  BETA_INBOX: { name: 'New inbox', about: 'Changes to the inbox before they are there for everybody.' },
};
const KEY = ['opt-outs'];

/** Features that are still being tried out: who does not want one leaves it here. */
export const BetaSection = ({ saved }: { saved: (message: string) => void }) => {
  const client = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: () => call('GET /api/alpha/opt-out') });
  const [leaving, leave] = useState<Feature | null>(null);
  return (
    <Section id="beta" title="Beta features">
      <Loaded query={query} what="beta features">
        {(left) => (
          <ul className={classes.items}>
            {OPT_OUT_FEATURES.map((feature) => (
              <li key={feature}>
                <div>
                  <div className={classes.name}>{FEATURES[feature].name}</div>
                  <div className={classes.dim}>{FEATURES[feature].about}</div>
                </div>
                {left.includes(feature) ? (
                  <Text c="dimmed">You have left it</Text>
                ) : (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Leave: ${FEATURES[feature].name}`}
                    onClick={() => leave(feature)}
                  >
                    Leave
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {leaving && (
        <Confirm
          title={`Leave “${FEATURES[leaving].name}”?`}
          word="Leave it"
          act={() => call('POST /api/alpha/opt-out', { query: { feature: leaving } })}
          done={() => {
            client.setQueryData<Feature[]>(KEY, (before = []) => [...before, leaving]);
            saved(`You have left “${FEATURES[leaving].name}”.`);
            leave(null);
          }}
          close={() => leave(null)}
        >
          You will no longer see it. This page does not offer it again.
        </Confirm>
      )}
    </Section>
  );
};
