import { Button, Text } from '@mantine/core';
import { PatientIdForm } from '../forms/patient-id-form.tsx';
import { useNavigate } from '../router/hooks.ts';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import classes from './feeds.module.css';

/** Asks for a patient, and opens the page that says why there is no ping. */
export const MissingPingsForm = () => {
  const { user } = useSession();
  const navigate = useNavigate();
  return (
    <div className={classes.ask}>
      <Text mb="sm">
        Find out why a patient on one of your lists has no ping on a day: not sent, in quarantine, not on the list, or
        waiting for a review.
      </Text>
      <PatientIdForm choose={(id) => void navigate({ to: `${patientPath(user, id)}/missing-pings` })}>
        <Button type="submit" mt="sm">
          Show reasons
        </Button>
      </PatientIdForm>
    </div>
  );
};
