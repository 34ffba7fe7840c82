/* driver.c: runs a fuzz target on the files of the folders that are named, for builds without libFuzzer: a corpus that
   is run in every `make test`. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>

#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static int run_folder(const char *folder) {
  DIR *listing = opendir(folder);
  struct ew_text path = {0}, bytes = {0};
  struct ew_error error;
  int count = 0;
  for (struct dirent *entry; listing && (entry = readdir(listing));) {
    if (entry->d_name[0] == '.') continue;
    ew_text_reset(&path);
    ew_text_add_format(&path, "%s/%s", folder, entry->d_name);
    ew_text_reset(&bytes);
    if (ew_file_read(path.bytes, 1 << 24, &bytes, &error)) {
      fprintf(stderr, "%s\n", error.text);
      continue;
    }
    LLVMFuzzerTestOneInput((const uint8_t *)bytes.bytes, bytes.length);
    count++;
  }
  if (listing) closedir(listing);
  ew_text_release(&path);
  ew_text_release(&bytes);
  return count;
}

int main(int count, char **folders) {
  int files = 0;
  for (int i = 1; i < count; i++) files += run_folder(folders[i]);
  printf("%d files\n", files);
  return files ? 0 : 1;
}
