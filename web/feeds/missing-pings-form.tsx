import { Button, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { patientIdIn } from '../admin/accesses/accesses-search.ts';
import { useNavigate } from '../router/hooks.ts';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import classes from './feeds.module.css';

/** Asks for a patient, and opens the page that says why there is no ping. */
export const MissingPingsForm = () => {
  const { user } = useSession();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const id = patientIdIn(text);
    if (id === null) setError('Enter a patient ID like 1234_5678, or paste the address of the patient’s page.');
    else void navigate({ to: `${patientPath(user, id)}/missing-pings` });
  };
  return (
    <form onSubmit={submit} className={classes.ask}>
      <Text mb="sm">
        Find out why a patient on one of your lists has no ping on a day: not sent, in quarantine, not on the list, or
        waiting for a review.
      </Text>
      <TextInput
        label="Patient ID"
        description="The end of the address of the patient's page"
        placeholder="1234_5678"
        value={text}
        error={error}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" mt="sm">
        Show reasons
      </Button>
    </form>
  );
};
