/* Calls entries of a C reference: reads (entry, bytes of the block from FIELD on), answers with the block. */

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include REFERENCE

enum { OFFSET = offsetof(BLOCK_TYPE, FIELD) };

int main(void)
{
    void (*const entries[])(BLOCK_TYPE *) = {ENTRIES};
    static BLOCK_TYPE block;
    unsigned char given[GIVEN];
    int entry;

    memset(&block, 0xa5, sizeof block);
    while ((entry = getchar()) != EOF) {
        if (fread(given, GIVEN, 1, stdin) != 1)
            return 1;
        memcpy((unsigned char *)&block + OFFSET, given, GIVEN);
        entries[entry](&block);
        if (fwrite(&block, sizeof block, 1, stdout) != 1)
            return 1;
    }
    return 0;
}
