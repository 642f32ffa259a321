import type { SettingsAnswer, SettingsChange, SettingsPatch } from '../api/settings-forms.js';
import type { Api } from '../api.js';
import type { CallOptions } from '../http.js';

/** The settings of the organisation. */
export class Settings {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** All settings; secrets are masked. */
  get(options: CallOptions = {}): Promise<SettingsAnswer> {
    return this.#api.get('/settings', {}, options);
  }

  /** Changes the given settings. Null restores a default. */
  update(patch: SettingsPatch, options: CallOptions = {}): Promise<SettingsAnswer> {
    return this.#api.patch('/settings', patch, options);
  }

  /** What a change would do to the exposure. Changes nothing. */
  preview(patch: SettingsPatch, options: CallOptions = {}): Promise<SettingsChange> {
    return this.#api.patch('/settings?dry_run=true', patch, options);
  }
}
