import { Button, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { OpenedLink } from '#contract/facility-links.ts';
import { call } from '../api/call.ts';
import { ApiError, reasonOf } from '../api/error.ts';
import { Problem } from '../sign-in/account-frame.tsx';
import { Form } from '../sign-in/sign-in-forms.tsx';
import { typedDate } from './birth-date.ts';
import { isNotValid } from './not-valid.ts';

/** The first step: whom the link is about is known to those who were told. */
export const BirthDateForm = ({
  token,
  opened,
  notValid,
}: {
  token: string;
  opened: (link: OpenedLink, birthDate: string) => void;
  notValid: () => void;
}) => {
  const [text, type] = useState('');
  const [missing, setMissing] = useState(false);
  const open = useMutation({
    mutationFn: (birthDate: string) => call('POST /api/facility-links/open', { body: { token, birthDate } }),
    onSuccess: opened,
    onError: (error) => isNotValid(error) && notValid(),
  });
  const { error } = open;
  const isWrong = error instanceof ApiError && error.errorKey === 'WRONG_BIRTH_DATE';
  const said = missing ? 'Enter the date as MM/DD/YYYY.' : isWrong ? error.message : undefined;
  return (
    <>
      <Text>
        Enter the date of birth of the patient this link is about. The person who sent it can tell you who the patient
        is.
      </Text>
      <Problem message={error && !isWrong && !isNotValid(error) ? reasonOf(error) : null} />
      <Form
        submit={() => {
          const birthDate = typedDate(text);
          setMissing(birthDate === null);
          open.reset();
          if (birthDate === null) return false;
          open.mutate(birthDate);
        }}
      >
        <TextInput
          label="Patient's date of birth"
          description="MM/DD/YYYY. After three wrong dates the link stops working."
          inputMode="numeric"
          autoComplete="off"
          maxLength={10}
          value={text}
          error={said}
          errorProps={{ role: 'alert' }}
          onChange={({ currentTarget }) => type(currentTarget.value)}
        />
        <Button type="submit" loading={open.isPending}>
          Continue
        </Button>
      </Form>
    </>
  );
};
