import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { SsoConnection } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { CopyValue } from '../../forms/copy-value.tsx';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf, tickOf } from '../../forms/fields.ts';
import { RemoveButton } from '../../forms/remove-button.tsx';
import classes from '../admin.module.css';
import { choices, EXPERIENCE_LABELS } from '../labels.ts';
import { Note } from '../note.tsx';
import { ClientFields, DomainsField, IssuerField, OriginsField, SamlFields } from './connection-fields.tsx';
import {
  type ConnectionActs,
  type ConnectionForm,
  EXPERIENCES,
  type SsoKind,
  useConnectionForm,
} from './use-connection-form.ts';

export const KIND_LABELS: Record<SsoKind, string> = {
  OIDC: 'Identity provider (OpenID Connect)',
  SAML: 'Enterprise sign-in (SAML 2.0)',
  SMART: 'Launch from an EHR (SMART App Launch)',
};

const CALLBACK_LABELS: Record<SsoKind, string> = {
  OIDC: 'Redirect address (callback)',
  SAML: 'Assertion consumer service (callback)',
  SMART: 'Redirect address (callback)',
};

const SwitchedOn = ({ form, wasOn }: { form: ConnectionForm; wasOn: boolean }) => (
  <>
    <Checkbox
      label="Switched on"
      description={
        form.values.kind === 'SMART'
          ? 'Launches from this EHR are accepted.'
          : 'Users of the domains below are sent to the other side when they sign in.'
      }
      {...tickOf(form, 'isEnabled')}
    />
    {wasOn && !form.values.isEnabled && (
      <p role="status">
        While it is switched off, whoever signs in this way cannot sign in. To give these people back to passwords,
        remove the connection.
      </p>
    )}
  </>
);

/** The addresses that the other side needs; they exist once the connection is saved. */
const OtherSide = ({ connection, kind }: { connection: SsoConnection | null; kind: SsoKind }) => (
  <section aria-label="What the other side needs">
    <h3 className={classes.subhead}>What the other side needs</h3>
    {connection ? (
      <>
        <CopyValue label={CALLBACK_LABELS[kind]} value={connection.callbackUrl} />
        {connection.metadataUrl && <CopyValue label="Entity id and metadata" value={connection.metadataUrl} />}
        {kind === 'SMART' && <CopyValue label="Launch address" value={`${location.origin}/api/ehr/launch`} />}
      </>
    ) : (
      <Note>
        Save the connection switched off first: its addresses then stand here, to be entered at the other side.
      </Note>
    )}
  </section>
);

/** One connection: what we know of the other side, and what it must know of us. */
export const ConnectionDrawer = ({
  kind,
  connection,
  ...acts
}: ConnectionActs & {
  kind: SsoKind;
  /** Null for a new one. */
  connection: SsoConnection | null;
}) => {
  const form = useConnectionForm(kind, connection, acts);
  return (
    <EditDrawer
      title={connection ? connection.name : KIND_LABELS[kind]}
      form={form}
      submit="Save"
      wide
      close={acts.close}
    >
      <TextInput
        label="Name"
        description="Administrators see it, for example Lakeshore sign-in"
        maxLength={100}
        {...textOf(form, 'name')}
      />
      <SwitchedOn form={form} wasOn={connection?.isEnabled ?? false} />
      <OtherSide connection={connection} kind={kind} />
      <h3 className={classes.subhead}>What we need of the other side</h3>
      <IssuerField form={form} />
      {kind === 'SAML' ? (
        <SamlFields form={form} />
      ) : (
        <ClientFields form={form} hasSecret={connection?.hasSecret ?? false} />
      )}
      {kind === 'SMART' ? <OriginsField form={form} /> : <DomainsField form={form} />}
      <NativeSelect
        label="Experience of users who come this way"
        {...textOf(form, 'applicationExperience')}
        data={choices(EXPERIENCE_LABELS, EXPERIENCES[kind])}
      />
      {connection && (
        <RemoveButton
          kind="connection"
          what={`the connection ${connection.name}`}
          act={() => call('DELETE /api/admin/sso-connections/:id', { params: { id: connection.id } })}
          done={(message) => acts.saved(message, null)}
        >
          {kind === 'SMART' ? 'Launches from this EHR are refused. ' : ''}
          Whoever signed in this way sets a password by e-mail at “Forgot password?” and signs in with it. Switch the
          connection off instead if it may be needed again soon: until then these people cannot sign in.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};
