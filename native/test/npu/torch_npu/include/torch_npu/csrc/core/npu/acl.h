// The part of AscendCL that the stand-in of torch_npu and the front call, as CANN documents it.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

typedef int aclError;
typedef void *aclrtStream;
typedef void *aclrtDrvMemHandle;
typedef int aclrtMemAttr;
typedef int aclrtMemcpyKind;

typedef struct aclrtPhysicalMemProp {
    int handleType;
    int allocationType;
    int memAttr;
    struct {
        uint32_t id;
        int type;
    } location;
    uint64_t reserve;
} aclrtPhysicalMemProp;

static const aclError ACL_ERROR_NONE = 0;
static const aclrtMemAttr ACL_HBM_MEM = 1;
static const aclrtMemAttr ACL_HBM_MEM_HUGE = 4;
static const aclrtMemcpyKind ACL_MEMCPY_DEVICE_TO_DEVICE = 3;

aclError aclInit(const char *config);
aclError aclrtGetDeviceCount(uint32_t *count);
aclError aclrtSetDevice(int32_t device);
aclError aclrtSynchronizeDevice(void);
aclError aclrtGetMemInfo(aclrtMemAttr attribute, size_t *free_bytes, size_t *total);
aclError aclrtReserveMemAddress(void **address, size_t bytes, size_t alignment, void *wish, uint64_t flags);
aclError aclrtReleaseMemAddress(void *address);
aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t bytes, const aclrtPhysicalMemProp *prop, uint64_t flags);
aclError aclrtFreePhysical(aclrtDrvMemHandle handle);
aclError aclrtMapMem(void *address, size_t bytes, size_t offset, aclrtDrvMemHandle handle, uint64_t flags);
aclError aclrtUnmapMem(void *address);
aclError aclrtCreateStream(aclrtStream *stream);
aclError aclrtMemcpyAsync(void *to, size_t room, const void *from, size_t bytes, aclrtMemcpyKind kind, aclrtStream stream);
}
