import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { SsoConnection } from '#contract/admin.ts';
import { CONNECTION_TEXTS } from '#contract/admin-fields.ts';
import { EXPERIENCES_BY_SIGN_IN } from '#contract/experiences.ts';
import { call } from '../../api/call.ts';
import { CopyValue } from '../../forms/copy-value.tsx';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf, tickOf } from '../../forms/fields.ts';
import { RemoveButton } from '../../forms/remove-button.tsx';
import classes from '../admin.module.css';
import { choices, EXPERIENCE_LABELS } from '../labels.ts';
import { Note } from '../note.tsx';
import { ClientFields, DomainsField, IssuerField, OriginsField, SamlFields } from './connection-fields.tsx';
import { DomainStates } from './domain-states.tsx';
import { ProvisioningSection } from './provisioning-section.tsx';
import { TestSignIn } from './test-sign-in.tsx';
import {
  type ConnectionForm,
  type ConnectionHandlers,
  type SsoKind,
  useConnectionForm,
} from './use-connection-form.ts';

export const KIND_LABELS: Record<SsoKind, string> = {
  OIDC: 'Identity provider (OpenID Connect)',
  SAML: 'Enterprise sign-in (SAML 2.0)',
  SMART: 'EHR launch (SMART App Launch)',
};

/** Who is at the other end of the connection. */
const PARTNERS: Record<SsoKind, string> = {
  OIDC: 'your identity provider',
  SAML: 'your identity provider',
  SMART: 'your EHR',
};

const CALLBACK_LABELS: Record<SsoKind, string> = {
  OIDC: 'Redirect URL (callback)',
  SAML: 'Assertion consumer service URL (callback)',
  SMART: 'Redirect URL (callback)',
};

const enabledWords = (kind: SsoKind, connection: SsoConnection | null): string => {
  if (kind === 'SMART') return 'Launches from this EHR are accepted.';
  const effect = 'People with the verified email domains below are sent to your identity provider when they sign in.';
  return connection?.isTested ? effect : `${effect} Save the connection and test the sign-in first.`;
};

/** A connection is enabled once its sign-in has been tested; an EHR's launches keep no one out. */
const EnabledField = ({ form, connection }: { form: ConnectionForm; connection: SsoConnection | null }) => (
  <>
    <Checkbox
      label="Enabled"
      description={enabledWords(form.values.kind, connection)}
      disabled={form.values.kind !== 'SMART' && !form.values.isEnabled && !connection?.isTested}
      {...tickOf(form, 'isEnabled')}
    />
    {connection?.isOnlyWayIn && (
      <Note>
        Everyone in this organization has to sign in with single sign-on, and only this connection lets them. To turn it
        off, remove it or give up its last verified domain, first turn off that rule under Users, “Sign-in rules…”.
      </Note>
    )}
    {connection?.isEnabled && !form.values.isEnabled && (
      <p role="status">
        While this connection is off, people who use it can't sign in. To let them use passwords again, remove the
        connection.
      </p>
    )}
  </>
);

/** The URLs to enter at the identity provider or EHR. They exist once the connection is saved. */
const OurAddresses = ({ connection, kind }: { connection: SsoConnection | null; kind: SsoKind }) => (
  <section aria-label={`For ${PARTNERS[kind]}`}>
    <h3 className={classes.subhead}>For {PARTNERS[kind]}</h3>
    {connection ? (
      <>
        <CopyValue label={CALLBACK_LABELS[kind]} value={connection.callbackUrl} />
        {connection.metadataUrl && <CopyValue label="Entity ID and metadata URL" value={connection.metadataUrl} />}
        {kind === 'SMART' && <CopyValue label="Launch URL" value={`${location.origin}/api/ehr/launch`} />}
      </>
    ) : (
      <Note>Save the connection first. The URLs for {PARTNERS[kind]} then appear here.</Note>
    )}
  </section>
);

/** The form of a connection: what the identity provider or EHR has to know about us, and we about it. */
export const ConnectionDrawer = ({
  kind,
  connection,
  ...handlers
}: ConnectionHandlers & {
  kind: SsoKind;
  /** Null for a new one. */
  connection: SsoConnection | null;
}) => {
  const form = useConnectionForm(kind, connection, handlers);
  return (
    <EditDrawer
      title={connection ? connection.name : KIND_LABELS[kind]}
      form={form}
      submit="Save"
      wide
      close={handlers.close}
    >
      <TextInput
        label="Name"
        description="Shown to administrators only. Example: Lakeshore sign-in"
        maxLength={CONNECTION_TEXTS.name.max}
        {...textOf(form, 'name')}
      />
      <EnabledField form={form} connection={connection} />
      <OurAddresses connection={connection} kind={kind} />
      <h3 className={classes.subhead}>From {PARTNERS[kind]}</h3>
      <IssuerField form={form} />
      {kind === 'SAML' ? (
        <SamlFields form={form} />
      ) : (
        <ClientFields form={form} hasSecret={connection?.hasSecret ?? false} />
      )}
      {kind === 'SMART' && <OriginsField form={form} />}
      <DomainsField form={form} />
      {connection && kind !== 'SMART' && <TestSignIn connection={connection} dirty={form.dirty} />}
      {connection && <DomainStates connection={connection} changed={handlers.domainChanged} />}
      {connection && <ProvisioningSection connection={connection} />}
      <NativeSelect
        label="Experience for people who sign in this way"
        {...textOf(form, 'applicationExperience')}
        data={choices(EXPERIENCE_LABELS, EXPERIENCES_BY_SIGN_IN[kind])}
      />
      {connection && (
        <RemoveButton
          kind="connection"
          what={`the connection ${connection.name}`}
          act={() => call('DELETE /api/admin/sso-connections/:id', { params: { id: connection.id } })}
          done={(message) => handlers.saved(message, null)}
        >
          {kind === 'SMART' ? 'Launches from this EHR will be refused. ' : ''}
          People who signed in this way have to set a password with “Forgot password?”. If you may need the connection
          again soon, turn it off instead; while it is off, these people can't sign in.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};
