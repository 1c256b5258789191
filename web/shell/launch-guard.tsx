import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Me } from '#contract/accounts.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { born } from '../patient/phrases.ts';
import { hearTabs, tellTabs } from '../session/tabs.ts';
import { Banner } from '../ui/banner.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { familyFirst } from '../ui/format/name.ts';
import classes from './ehr-strip.module.css';

/** Whom the EHR has opened since in this browser, where that is somebody else than this page was opened for. */
const useOtherLaunch = ({ user: { patientId } }: Me): string | null => {
  const [other, setOther] = useState<string | null>(null);
  useEffect(() => {
    const compare = (launched: string | null): void => setOther(launched !== patientId ? launched : null);
    const ask = (): void => {
      if (document.visibilityState === 'hidden') return;
      // A launch replaces the session of this browser: what the server knows now is what the EHR shows.
      inBackground(() => call('GET /api/me')).then(
        (me) => compare(me.user.patientId),
        () => {},
      );
    };
    tellTabs({ kind: 'launched', patientId });
    const deaf = hearTabs((told) => {
      if (told.kind === 'launched') compare(told.patientId);
    });
    window.addEventListener('focus', ask);
    document.addEventListener('visibilitychange', ask);
    return () => {
      deaf();
      window.removeEventListener('focus', ask);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [patientId]);
  return other;
};

/** Name and birth date of a patient; why not, where they cannot be had. */
const Identity = ({ id }: { id: string }) => {
  const { data, isError } = useQuery({
    queryKey: ['launched-patient', id],
    queryFn: () => call('GET /api/patients/:id', { params: { id } }),
  });
  const [now] = useState(() => new Date());
  if (!data) return isError ? 'You do not have access to this patient' : 'Loading';
  return `${familyFirst(data)} · Born ${data.dateOfBirth ? born(data.dateOfBirth, now) : 'not recorded'}`;
};

const stay = (): void => {};

/** Stops work on a patient whom the EHR no longer shows, and says who the two are (ux.md, 2.1 and 2.2). */
export const LaunchGuard = ({ me }: { me: Me }) => {
  const other = useOtherLaunch(me);
  const { patientId } = me.user;
  if (!other || !patientId) return null;
  return (
    <Dialog title="The EHR is now showing a different patient. Reload." close={stay}>
      <Banner kind="PATIENT_SAFETY" role="alert">
        What you do here would be done for the patient of this page.
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
