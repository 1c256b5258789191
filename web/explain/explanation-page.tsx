import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PingExplanation } from '#contract/explanations.ts';
import { ApiError } from '../api/error.ts';
import { Loaded } from '../forms/loaded.tsx';
import { plainEventPhrase } from '../patient/phrases.ts';
import { useParams } from '../router/hooks.ts';
import { Link } from '../router/link.tsx';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { Empty } from '../ui/states.tsx';
import { AgreementOfRecords } from './agreement.tsx';
import { ExplainFrame } from './explain-frame.tsx';
import { explanationQuery } from './explain-queries.ts';
import { MessageDetails } from './message-list.tsx';
import { noticeSentences, readerSentences } from './reader-words.ts';
import { Step } from './steps.tsx';
import { correctionSentences, matchSentence, messageSentences, noticeSentence, recipientSentences } from './words.ts';
import { WrongMatch } from './wrong-match.tsx';
import { zoned } from './zoned.ts';

const Explanation = ({ found }: { found: PingExplanation }) => {
  const { user, team } = useSession();
  const { ping, stay, recipients, messages, patientId } = found;
  const { timeZone } = ping.facility;
  const at = (value: string): string => zoned(value, timeZone);
  const stayWords = stay && [
    stay.startDate
      ? `The stay began ${at(stay.startDate)}${stay.endDate ? ` and ended ${at(stay.endDate)}` : ''}.`
      : '',
    stay.dischargeContradicted
      ? 'The facility also sent a discharge that says the patient is still there, so the stay stays open.'
      : '',
    stay.diagnosis ? `Diagnosis: ${stay.diagnosis}.` : '',
  ];
  return (
    <>
      <p>
        <strong>{plainEventPhrase(ping)}</strong>, {ping.facility.name}, {at(ping.eventDate)}
      </p>
      <Step title="What the facility sent" sentences={messageSentences(found, at)}>
        <MessageDetails messages={messages} at={at} />
      </Step>
      {stayWords?.some(Boolean) && <Step title="Which stay" sentences={stayWords.filter(Boolean)} />}
      <Step title="Why this patient" sentences={[matchSentence(found, at)]}>
        <AgreementOfRecords match={found.match} ping={ping} />
        <WrongMatch found={found} />
      </Step>
      <Step
        title="Why your team"
        sentences={recipients.flatMap((recipient) => recipientSentences(recipient, team.name, at))}
      />
      <Step
        title="Who was notified, and who opened it"
        sentences={[
          ...recipients.map((recipient) => noticeSentence(recipient, at)),
          ...noticeSentences(found, at),
          ...readerSentences(found, at),
        ]}
      />
      <Step
        title="Corrections since"
        sentences={correctionSentences(found, at)}
        none="None. The event is as it was first reported."
      />
      {ping.status === 'DISCHARGE' && !found.isMoved && (
        <Anchor
          component={Link}
          to={`${patientPath(user, patientId)}/events/${ping.eventIdentifier}/evidence`}
          data-no-print
        >
          Evidence packet
        </Anchor>
      )}
    </>
  );
};

/** Why the team got a ping: what was sent, whom it is about, why this team, who was notified, and what changed since. */
export const ExplanationPage = () => {
  const { patientId = '', eventId = '' } = useParams();
  const query = useQuery(explanationQuery(patientId, eventId));
  return (
    <ExplainFrame title="Why this ping" print="Print explanation">
      {() =>
        query.error instanceof ApiError && query.error.status === 404 ? (
          <Empty title="Ping not found">Your team got no ping about this event, or you don't have access.</Empty>
        ) : (
          <Loaded query={query} what="explanation">
            {(found) => <Explanation found={found} />}
          </Loaded>
        )
      }
    </ExplainFrame>
  );
};
