/*
 * The time zone of this device, proposed where the club has none yet. A browser that keeps it to itself
 * says UTC: then nothing is proposed.
 */

const field = document.querySelector("input[name=time_zone]");

if (field && !field.value) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  field.value = zone.includes("/") ? zone : "";
}
