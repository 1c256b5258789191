import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { mayHaveSummaries } from '../patient/patient-links.tsx';
import { type BetaFeature, optOutsQuery } from '../session/beta.ts';
import { type Session, useSession } from '../session/session.ts';
import { Failed } from '../ui/states.tsx';
import classes from './profile.module.css';
import { Section } from './section.tsx';

/** The features that a switch guards. */
const FEATURES = {
  PALETTE_ACTIONS: {
    name: 'Actions in search',
    about: 'Search (Ctrl K) also resolves the open ping, logs a contact, and does what else the page can do.',
  },
  DISCHARGE_SUMMARY_MIHIN: {
    name: 'Discharge summaries',
    about: 'Case management and Rising risk show the discharge summaries that facilities send.',
  },
} as const satisfies Partial<Record<BetaFeature, { name: string; about: string }>>;
const NAMES = Object.keys(FEATURES) as (keyof typeof FEATURES)[];

/** Whether a feature shows the user anything. */
const concerns = (feature: keyof typeof FEATURES, can: Session['can']): boolean =>
  feature !== 'DISCHARGE_SUMMARY_MIHIN' || mayHaveSummaries(can);

/** Features that are still being tested, with a way out of each and back in. */
export const BetaSection = ({ saved }: { saved: (message: string) => void }) => {
  const client = useQueryClient();
  const { can } = useSession();
  const query = useQuery(optOutsQuery);
  const [leaving, setLeaving] = useState<keyof typeof FEATURES | null>(null);
  const put = (change: (before: BetaFeature[]) => BetaFeature[]): void => {
    client.setQueryData<BetaFeature[]>(optOutsQuery.queryKey, (before = []) => change(before));
  };
  const back = useMutation({
    mutationFn: (feature: BetaFeature) => call('DELETE /api/alpha/opt-out', { query: { feature } }),
    onSuccess: (_, feature) => {
      put((before) => before.filter((one) => one !== feature));
      saved('Successfully opted in to beta');
    },
  });
  return (
    <Section id="beta" title="Beta features">
      {back.error && <Failed what="You're still opted out." error={back.error} />}
      <Loaded query={query} what="beta features">
        {(optedOut) => (
          <ul className={classes.items}>
            {NAMES.filter((feature) => concerns(feature, can)).map((feature) => {
              const { name, about } = FEATURES[feature];
              const isOut = optedOut.includes(feature);
              return (
                <li key={feature}>
                  <div>
                    <div className={classes.name}>{name}</div>
                    <div className={classes.dim}>
                      {about} {isOut && "You've opted out."}
                    </div>
                  </div>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={isOut ? `Opt in to ${name}` : `Opt out of ${name}`}
                    loading={back.isPending}
                    onClick={() => (isOut ? back.mutate(feature) : setLeaving(feature))}
                  >
                    {isOut ? 'Opt in' : 'Opt out'}
                  </Button>
                </li>
              );
            })}
          </ul>
        )}
      </Loaded>
      {leaving && (
        <Confirm
          title={`Opt out of “${FEATURES[leaving].name}”?`}
          word="Opt out"
          act={() => call('POST /api/alpha/opt-out', { query: { feature: leaving } })}
          done={() => {
            put((before) => [...before, leaving]);
            saved('Successfully opted out of beta');
            setLeaving(null);
          }}
          close={() => setLeaving(null)}
        >
          You'll no longer see this feature. You can opt in again here.
        </Confirm>
      )}
    </Section>
  );
};
