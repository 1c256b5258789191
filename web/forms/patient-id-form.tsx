import { TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { patientIdIn } from './patient-id.ts';

interface Props {
  /** The id to begin with. */
  patient?: string | undefined;
  choose: (id: string) => void;
  className?: string | undefined;
  /** The button that submits. */
  children: ReactNode;
}

/** Asks for a patient, by ID or by the address of the patient's page. */
export const PatientIdForm = ({ patient = '', choose, className, children }: Props) => {
  const [text, setText] = useState(patient);
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const id = patientIdIn(text);
    setError(id === null ? 'Enter a patient ID like 1234_5678, or paste the address of the patient’s page.' : null);
    if (id !== null) choose(id);
  };
  return (
    <form onSubmit={submit} className={className}>
      <TextInput
        label="Patient ID"
        description="At the end of the web address of the patient's page"
        placeholder="1234_5678"
        value={text}
        error={error}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {children}
    </form>
  );
};
