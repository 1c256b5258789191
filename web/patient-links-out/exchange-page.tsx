import { Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ExchangeLink } from '#contract/exchange-links.ts';
import { ApiError } from '../api/error.ts';
import { Loaded } from '../forms/loaded.tsx';
import { useParams } from '../router/hooks.ts';
import { Empty } from '../ui/states.tsx';
import { useTitle } from '../ui/use-title.ts';
import { EXCHANGES, type Exchange, exchangeQuery } from './exchanges.ts';
import classes from './patient-links-out.module.css';

/** Posts the form as soon as it is there. The button is for browsers that stop it. */
const ExchangeForm = ({ link: { url, fields } }: { link: ExchangeLink }) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.submit(), []);
  return (
    <form ref={form} method="post" action={url} acceptCharset="utf-8">
      {fields.map(({ name, value }) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit">Continue</Button>
    </form>
  );
};

/**
 * Opens a patient at an exchange. A page of its own, in a new document: the server allows this page alone to post a form to the exchange that the
 * organization has set.
 */
export const ExchangePage = () => {
  const { patientId = '', exchange = '' } = useParams();
  const known = Object.hasOwn(EXCHANGES, exchange) ? (exchange as Exchange) : null;
  const name = known ? EXCHANGES[known].name : 'Exchange';
  useTitle(name);
  const link = useQuery({ ...exchangeQuery(patientId, known ?? 'pulse'), enabled: known !== null });
  if (known === null || (link.error instanceof ApiError && link.error.status === 404))
    return (
      <Empty title="No link for this patient">
        Your organization has no link for this patient. You can close this tab.
      </Empty>
    );
  return (
    <div className={classes.page}>
      <Title order={1}>{name}</Title>
      <Text mb="md">Opening {name}…</Text>
      <Loaded query={link} what="link">
        {(data) => <ExchangeForm link={data} />}
      </Loaded>
    </div>
  );
};
