import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Me } from '#contract/accounts.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { born } from '../patient/phrases.ts';
import { listenToTabs, postToTabs } from '../session/tabs.ts';
import { Banner } from '../ui/banner.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { familyFirst } from '../ui/format/name.ts';
import classes from './ehr-strip.module.css';

/** Returns the patient that the EHR has opened in this browser since, if it isn't the patient of this page. */
const useOtherLaunch = ({ user: { patientId } }: Me): string | null => {
  const [other, setOther] = useState<string | null>(null);
  useEffect(() => {
    const compare = (launched: string | null): void => setOther(launched !== patientId ? launched : null);
    const ask = (): void => {
      if (document.visibilityState === 'hidden') return;
      // A launch replaces the session of this browser, so the session's patient is the one that the EHR shows.
      inBackground(() => call('GET /api/me')).then(
        (me) => compare(me.user.patientId),
        () => {},
      );
    };
    postToTabs({ kind: 'launched', patientId });
    const stopListening = listenToTabs((message) => {
      if (message.kind === 'launched') compare(message.patientId);
    });
    window.addEventListener('focus', ask);
    document.addEventListener('visibilitychange', ask);
    return () => {
      stopListening();
      window.removeEventListener('focus', ask);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [patientId]);
  return other;
};

/** Name and birth date of a patient, or why they aren't shown. */
const Identity = ({ id }: { id: string }) => {
  const { data, isError } = useQuery({
    queryKey: ['launched-patient', id],
    queryFn: () => call('GET /api/patients/:id', { params: { id } }),
  });
  const [now] = useState(() => new Date());
  if (!data) return isError ? "You don't have access to this patient" : 'Loading';
  return `${familyFirst(data)} · Born ${data.dateOfBirth ? born(data.dateOfBirth, now) : 'not recorded'}`;
};

const stay = (): void => {};

/** Blocks work on a patient that the EHR no longer shows, and identifies both patients. */
export const LaunchGuard = ({ me }: { me: Me }) => {
  const other = useOtherLaunch(me);
  const { patientId } = me.user;
  if (!other || !patientId) return null;
  return (
    <Dialog title="The EHR is now showing a different patient. Reload." close={stay}>
      <Banner kind="PATIENT_SAFETY" role="alert">
        Anything you do here applies to the patient on this page.
      </Banner>
      <dl className={classes.identities}>
        <div>
          <dt>This page</dt>
          <dd>
            <Identity id={patientId} />
          </dd>
        </div>
        <div>
          <dt>The EHR</dt>
          <dd>
            <Identity id={other} />
          </dd>
        </div>
      </dl>
      <Button mt="lg" data-autofocus onClick={() => location.assign(`/ehr/patients/${encodeURIComponent(other)}`)}>
        Reload
      </Button>
    </Dialog>
  );
};
