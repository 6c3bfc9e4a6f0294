/** What Firefox and Thunderbird have in common: by the name of a setting, what it is to be on a private desktop. */
const GECKO: Readonly<Record<string, boolean | number | string>> = {
  // -1: the tree is there from the beginning, whether or not anybody has asked for it yet.
  "accessibility.force_disabled": -1,
  // Pages come with all that is told of them: asked for a role before their ARIA attributes are there, it tells a wrong one for good.
  "accessibility.enable_all_cache_domains": true,
  "datareporting.policy.dataSubmissionEnabled": false,
  "datareporting.policy.firstRunURL": "",
  "datareporting.healthreport.uploadEnabled": false,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
  "toolkit.startup.max_resumed_crashes": -1,
  // Phoning home.
  "app.update.auto": false,
  "extensions.update.enabled": false,
  "extensions.getAddons.cache.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,#remote-settings-off",
  // An animation tells where it ends late.
  "general.smoothScroll": false,
  "ui.prefersReducedMotion": 1,
  "toolkit.cosmeticAnimations.enabled": false,
};

/** Firefox alone. */
const FIREFOX: typeof GECKO = {
  // First-run pages, what is new, and what asks or recommends.
  "browser.aboutwelcome.enabled": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "startup.homepage_welcome_url": "about:blank",
  "startup.homepage_welcome_url.additional": "",
  "startup.homepage_override_url": "",
  "browser.startup.page": 0,
  "browser.newtabpage.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.disableResetPrompt": true,
  "browser.messaging-system.whatsNewPanel.enabled": false,
  "browser.newtabpage.activity-stream.asrouter.userprefs.cfr.addons": false,
  "browser.newtabpage.activity-stream.asrouter.userprefs.cfr.features": false,
  "browser.tabs.warnOnClose": false,
  "browser.warnOnQuit": false,
  "browser.translations.automaticallyPopup": false,
  "trailhead.firstrun.didSeeAboutWelcome": true,
  "termsofuse.bypassNotification": true,
  "signon.rememberSignons": false,
  "signon.autofillForms": false,
  "browser.formfill.enable": false,
  "browser.sessionstore.resume_from_crash": false,
  // Phoning home.
  "app.normandy.enabled": false,
  "app.shield.optoutstudies.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.safebrowsing.downloads.remote.enabled": false,
  "browser.region.network.url": "",
  "browser.search.update": false,
};

/** Thunderbird alone: it opens on its mail without asking for an account, a donation or its start page. */
const THUNDERBIRD: typeof GECKO = {
  "mail.provider.suppress_dialog_on_startup": true,
  "mail.inappnotifications.enabled": false,
  "mail.rights.version": 1,
  "mail.shell.checkDefaultClient": false,
  "mailnews.start_page.enabled": false,
  "mailnews.start_page_override.mstone": "ignore",
};

function profileOf(settings: typeof GECKO): string {
  return Object.entries({ ...GECKO, ...settings })
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join("");
}

/** The file `user.js` of a profile of Firefox that shows pages and nothing else. */
export const QUIET_FIREFOX = profileOf(FIREFOX);

/** The same of Thunderbird: mail and address books, no account. */
export const QUIET_THUNDERBIRD = profileOf(THUNDERBIRD);
