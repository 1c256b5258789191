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
    about: 'Summaries of a stay, from the documents that hospitals send.',
  },
  BETA_INBOX: { name: 'New inbox', about: 'Changes to the inbox before everyone gets them.' },
};
const KEY = ['opt-outs'];

/** Features that are still being tested, with a way to opt out of each. */
export const BetaSection = ({ saved }: { saved: (message: string) => void }) => {
  const client = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: () => call('GET /api/alpha/opt-out') });
  const [leaving, setLeaving] = useState<Feature | null>(null);
  return (
    <Section id="beta" title="Beta features">
      <Loaded query={query} what="beta features">
        {(optedOut) => (
          <ul className={classes.items}>
            {OPT_OUT_FEATURES.map((feature) => (
              <li key={feature}>
                <div>
                  <div className={classes.name}>{FEATURES[feature].name}</div>
                  <div className={classes.dim}>{FEATURES[feature].about}</div>
                </div>
                {optedOut.includes(feature) ? (
                  <Text c="dimmed">Opted out</Text>
                ) : (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Opt out of ${FEATURES[feature].name}`}
                    onClick={() => setLeaving(feature)}
                  >
                    Opt out
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {leaving && (
        <Confirm
          title={`Opt out of “${FEATURES[leaving].name}”?`}
          word="Opt out"
          act={() => call('POST /api/alpha/opt-out', { query: { feature: leaving } })}
          done={() => {
            client.setQueryData<Feature[]>(KEY, (before = []) => [...before, leaving]);
            saved('Successfully opted out of beta');
            setLeaving(null);
          }}
          close={() => setLeaving(null)}
        >
          You'll no longer see this feature, and you can't opt back in here.
        </Confirm>
      )}
    </Section>
  );
};
