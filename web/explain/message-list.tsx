import { Anchor } from '@mantine/core';
import { useState } from 'react';
import type { ExplainedMessage } from '#contract/explanations.ts';
import { type Fact, Facts } from '../ui/facts.tsx';
import classes from './explain.module.css';
import { Segments } from './segments.tsx';

const SOURCES: Record<ExplainedMessage['source'], string> = {
  FEED: 'Message',
  STAFF: 'Manual entry',
  SYSTEM: 'Automatic close',
  LINK: 'Answer by link',
};
const ROLES: Record<ExplainedMessage['role'], string> = {
  REPORTED: 'reported the event',
  CHANGED: 'updated the event',
  CANCELED: 'canceled the event',
};
const GONE = "The message's text is past its retention. These facts were kept.";

/** Returns what a message is called: "Message A03 — reported the event". */
export const messageName = ({ source, trigger, role }: ExplainedMessage): string =>
  `${SOURCES[source]}${trigger ? ` ${trigger}` : ''} — ${ROLES[role]}`;

const Message = ({ message, at }: { message: ExplainedMessage; at: (value: string) => string }) => {
  const facts: Fact[] = [
    ['Received', at(message.receivedDate)],
    ['Sent', message.sentDate && at(message.sentDate)],
    ['Control ID', message.controlId],
    [
      'SHA-256',
      <span key="hash" className={classes.hash}>
        {message.hash}
      </span>,
    ],
    ...(message.outcome ? ([['What became of it', message.outcome]] satisfies Fact[]) : []),
    ...message.facts.map(({ label, text, date }): Fact => [label, date ? at(date) : text]),
  ];
  return (
    <li className={classes.message}>
      <h3>{messageName(message)}</h3>
      <Facts facts={facts} missing="Not sent" />
      {message.text === 'NO_LONGER_STORED' && <p className={classes.dim}>{GONE}</p>}
      {message.id && <Segments messageId={message.id} name={messageName(message)} />}
    </li>
  );
};

/** The messages behind an event: what they said, folded until asked for, and on paper not at all. */
export const MessageDetails = ({
  messages,
  at,
}: {
  messages: readonly ExplainedMessage[];
  at: (value: string) => string;
}) => {
  const [open, toggle] = useState(false);
  if (messages.length === 0) return null;
  const count = messages.length === 1 ? 'message' : `${messages.length} messages`;
  return (
    <div data-no-print>
      <Anchor component="button" type="button" size="sm" aria-expanded={open} onClick={() => toggle(!open)}>
        {open ? `Hide the ${count}` : `Show the ${count}`}
      </Anchor>
      {open && (
        <ol className={classes.messages}>
          {messages.map((message) => (
            <Message key={message.hash} message={message} at={at} />
          ))}
        </ol>
      )}
    </div>
  );
};
